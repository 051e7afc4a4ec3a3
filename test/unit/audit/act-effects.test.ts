// What the console says before something is taken away is what the description of the route says.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { consoleContract, contract } from '../../../functions/api/reference/contract.ts';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import { mayChange, needsRecentSignIn } from '../../../shared/system/role-rights.ts';

const acting = [...contract, ...consoleContract].filter(({ callers }) =>
  callers.some(({ name }) => name === 'colleague'),
);
const routesOf = (act: string) => acting.filter(({ audits }) => audits === act);

describe.each(Object.entries(actEffects))('%s', (act, sentence) => {
  test('is described by its route with the sentence that the console shows', () => {
    expect(routesOf(act)).not.toEqual([]);
    for (const { route } of routesOf(act)) expect(route.description).toContain(sentence);
  });
});

/** A session that ends is one's own, or appears in the list that the button is in. */
const withoutDialog = ['session.ended'];

test('every route that deletes, or gives somebody else access, has such a sentence', () => {
  const deleting = acting.filter(({ route }) => route.method === 'delete').map(({ audits }) => String(audits));
  expect(deleting.filter((act) => !Object.hasOwn(actEffects, act))).toEqual(withoutDialog);
  const erasing = acting.filter(({ changes }) => changes === 'data').map(({ audits }) => String(audits));
  expect(erasing.filter((act) => !Object.hasOwn(actEffects, act))).toEqual([]);
});

const pages = join(import.meta.dirname, '../../../functions/api/console/web/pages');
const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));

test('every page that deletes something shows the sentence of that route', () => {
  const shown: string[] = [];
  for (const name of files) {
    const text = readFileSync(join(pages, name), 'utf8');
    for (const [, path = ''] of text.matchAll(/\.DELETE\(\s*'([^']+)'/g)) {
      const act = acting.find(
        ({ route }) => route.method === 'delete' && toShape(route.path) === toShape(path),
      )?.audits;
      if (act === 'session.revoked') continue;
      expect([name, act, text.includes(`"${act}"`)]).toEqual([name, act, true]);
      shown.push(String(act));
    }
  }
  expect(shown.sort()).toEqual([
    'colleague.removed',
    'consolidation.reset',
    'device.disconnected',
    'invitation.revoked',
    'key.revoked',
    'member.removed',
    'passkey.removed',
    'user.deleted',
    'webhook.deleted',
  ]);
});

const toShape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

test('what nobody can undo or hands out rights is exactly what support may not do and takes a recent sign-in', () => {
  for (const changed of ['data', 'credentials', 'access'] as const)
    expect([mayChange('support', changed), needsRecentSignIn(changed)]).toEqual([false, true]);
  for (const changed of ['nothing', 'state'] as const) expect(needsRecentSignIn(changed)).toBe(false);
});
