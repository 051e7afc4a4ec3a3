import { expect, test } from 'vitest';
import { readSettings } from '../../../../functions/runtime/settings.ts';
import { settingNames } from '../../../../shared/platform/setting-names.ts';

const required = { [settingNames.table]: 'daybook' };

test('what a function knows about its deployment comes from the settings', () => {
  const { deployment } = readSettings({
    ...required,
    [settingNames.runtime]: 'local',
    [settingNames.baseUrl]: 'https://day.example',
    [settingNames.mailSender]: 'no-reply@example.com',
    [settingNames.tableEpoch]: '2026-03-12',
  });
  expect(deployment).toEqual({
    kind: 'local',
    baseUrl: 'https://day.example',
    mailSender: 'no-reply@example.com',
    tableEpoch: '2026-03-12',
  });
});

test('an empty setting counts as missing', () => {
  const empty = { [settingNames.baseUrl]: '', [settingNames.mailSender]: '', [settingNames.tableEpoch]: '' };
  expect(readSettings({ ...required, ...empty }).deployment).toEqual({ kind: 'aws' });
  expect(() => readSettings({ [settingNames.table]: '' })).toThrow(settingNames.table);
});
