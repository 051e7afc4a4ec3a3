// Sandbox users of the first personas keep their days unchanged when other personas are added.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SandboxPersona } from '../../../../shared/catalog/sandbox.ts';
import { workoutMeasures } from '../../../../shared/catalog/workout-measures.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { buildSandboxDay, listSandboxDates } from '../../../../shared/sandbox/life/sandbox-day.ts';
import { makeId } from '../../../../shared/system/ids.ts';

const frozen: [SandboxPersona, string][] = [
  ['average', 'CsxS4JkMUXVmb-YsOq_HmgM4AZAug7ZV2imWg5qeG5k'],
  ['athlete', 'RcttHYw1_nmCbmYh_1HWeH5qFMCinecAeaOFU5WoBjM'],
  ['shift_worker', 'Od0kj4xI_zYSh8LpQmVaLvqGAN0CzBZxBhyZWrQeXII'],
  ['traveller', 'Mpmx1Zo6ucwq-YFVmS3FWSrFC2F922uvZj4hB99l2dU'],
  ['sparse', 'T3UzZ634fBCfXvttDuh5YCXirjA2IUIWK8BwdiMmDBA'],
];

const added = new Set<string>(workoutMeasures.map(({ name }) => name));

/** Leaves out the fields that were added since. */
const asAtFirst = (ring: ReturnType<typeof buildSandboxDay>['ring']) => ({
  ...ring,
  samples: ring.samples.filter(({ metric }) => metric !== 'stress_score'),
  sleep: ring.sleep.map(({ stages: _stages, ...sleep }) => sleep),
  workouts: ring.workouts.map((workout) =>
    Object.fromEntries(Object.entries(workout).filter(([name]) => !added.has(name))),
  ),
});

test.each(frozen)(
  '%s has the same days, byte for byte, as when they were frozen, except for added fields',
  (persona, digest) => {
    const hash = createHash('sha256');
    for (const seed of [1, 60, 233])
      for (const timezone of ['Europe/Berlin', 'America/Los_Angeles', null]) {
        const userId = makeId('user', 1_780_000_000_000 + seed * 1e9, new Uint8Array(10).fill(seed));
        const nowMs = Date.parse('2026-06-14T14:10:00Z') + seed * 3_600_000;
        hash.update(JSON.stringify(listSandboxDates({ userId, persona, timezone }, null, nowMs)));
        for (let days = 0; days < 14; days++) {
          const date = addDays('2026-06-01', days);
          const { ring, phone } = buildSandboxDay({ userId, persona, timezone, date, untilMs: nowMs });
          hash.update(JSON.stringify([asAtFirst(ring), phone]));
        }
      }
    expect(hash.digest('base64url')).toBe(digest);
  },
);
