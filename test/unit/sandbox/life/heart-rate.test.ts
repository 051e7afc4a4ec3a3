import { expect, test } from 'vitest';
import { addDays, datesInRange } from '../../../../shared/platform/time/local-day.ts';
import { simulateActivity } from '../../../../shared/sandbox/life/activity.ts';
import { planDay } from '../../../../shared/sandbox/life/day-plan.ts';
import { simulateHeartRate, simulateStress, simulateTrace } from '../../../../shared/sandbox/life/heart-rate.ts';
import { createSimulatedUser } from '../../../../shared/sandbox/life/simulated-user.ts';

const dates = datesInRange('2026-01-01', addDays('2026-01-01', 59));

test.each(['average', 'athlete', 'older'] as const)(
  'the pulse of the persona %s does not fall at once after a workout, and has recovered after 15 minutes',
  (persona) => {
    let workoutCount = 0;
    for (const date of dates) {
      const user = createSimulatedUser({ userId: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7', persona, timezone: 'UTC' });
      const plan = planDay(user, date);
      const readings = simulateHeartRate(user, plan, simulateActivity(user, plan));
      for (const workout of plan.workouts) {
        workoutCount += 1;
        const last = simulateTrace(user, plan, workout).at(-1);
        if (!last) throw new Error('a workout has a trace');
        const after = readings.filter(({ ms }) => ms >= workout.endMs);
        for (const { ms, bpm } of after) {
          const minutes = (ms - last.ms) / 60_000;
          // Trained hearts slow down by about 30 beats in the first minute.
          if (minutes <= 5) expect(last.bpm - bpm).toBeLessThanOrEqual(10 + 30 * minutes);
        }
        const recovered = after.find(({ ms }) => ms >= workout.endMs + 900_000);
        if (recovered) expect(recovered.bpm).toBeLessThan(plan.condition.restingBpm + 13 + 45 + 12);
        const stressed = simulateStress(user, plan, readings).map(({ ms }) => ms);
        expect(stressed.filter((ms) => ms >= workout.startMs && ms < workout.endMs + 600_000)).toEqual([]);
      }
    }
    expect(workoutCount).toBeGreaterThan(10);
  },
);
