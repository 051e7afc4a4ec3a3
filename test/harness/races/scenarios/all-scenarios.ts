// All scenarios that can race with the user's writer. A new scenario is run in every order, with
// every crash and with a zombie writer.
import type { Scenario } from '../race.ts';
import { correctionScenarios } from './corrections.ts';
import { deviceScenarios } from './devices.ts';
import { timeZoneMoveScenarios } from './moves.ts';
import { settingsScenarios } from './settings.ts';
import { timeZoneFillScenarios } from './time-zone-fills.ts';
import { uploadScenarios } from './uploads.ts';

export const allScenarios: readonly Scenario[] = [
  ...correctionScenarios,
  ...timeZoneMoveScenarios,
  ...uploadScenarios,
  ...deviceScenarios,
  ...settingsScenarios,
  ...timeZoneFillScenarios,
];

export const scenariosWithCall = allScenarios.filter(({ call }) => call);
/**
 * Scenarios whose writer finds all of its work in the table, so that a crash loses nothing that was
 * acknowledged.
 */
export const scenariosWithoutConcurrentCall = allScenarios.filter(({ concurrentCall }) => !concurrentCall);

/** One scenario for each kind of work, for quick runs. */
export const representativeScenarios: readonly Scenario[] = scenariosWithoutConcurrentCall.filter(({ name }) =>
  [
    'a night moves with its stages',
    'every night moves by a day while another is processed',
    'the days are rebuilt after a move',
    'settings take effect',
    'a disconnected device is removed with all its data',
    'the same device uploads the same day',
    'a device is disconnected while the settings take effect',
    'the profile that scores depend on changes while an upload is processed',
    'an upload arrives while due scores are computed',
    'a provider reports a time zone after it sent data without one',
  ].includes(name),
);
