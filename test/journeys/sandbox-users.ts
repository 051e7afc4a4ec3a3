// Sandbox users as an integrator sees them: how soon they have data, and how it continues.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { type System, startSystem } from '../harness/system.ts';

const hourMs = 3_600_000;
export const withoutNulls = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
export const daysBefore = (date: string, days: number) =>
  new Date(Date.parse(date) - days * 24 * hourMs).toISOString().slice(0, 10);

/** Advances the clock in steps of this many hours, starting at noon. */
export async function advanceSandboxUser(steps: readonly number[]): Promise<void> {
  const system = await startSystem();
  onTestFinished(() => system.stop());
  system.clock.advance(24 * hourMs - ((system.clock.now() + 12 * hourMs) % (24 * hourMs)));
  const { sandbox_key: token } = await system.account();
  const user = await system.user(token);
  await system.host.drain();
  const daily = async () =>
    (await system.call('GET', `/v1/users/${user}/daily?types=resting_energy,asleep,steps`, { token })).body;
  const { to_date: first } = await daily();
  for (const hours of steps) {
    system.clock.advance(hours * hourMs);
    await system.host.runSchedule('feed-sandbox');
    await system.host.drain();
  }
  const days = steps.reduce((sum, hours) => sum + hours, 0) / 24;
  const { dates, series, to_date } = await daily();
  expect(to_date).toBe(daysBefore(first, -days));
  const known = (metric: string) => dates.filter((_date: string, at: number) => series[metric][at] !== null);
  expect(known('resting_energy').slice(0, 7 + days)).toEqual(dates.slice(-8 - days, -1));
  expect(known('asleep').slice(0, 7 + days)).toEqual(dates.slice(-8 - days, -1));
  const finished = series.resting_energy.slice(-1 - days, -1);
  expect(finished).toHaveLength(days);
  expect(Math.max(...finished, series.resting_energy.at(-2 - days)) - Math.min(...finished)).toBeLessThan(40);
}

/**
 * The clock is frozen, so anything that waits for a delay, a sweep or a schedule would never
 * arrive.
 */
export async function readUntilComplete(system: System, token: string, sandbox_persona: string): Promise<void> {
  onTestFinished(system.clock.freeze());
  const profile = { sandbox_persona };
  const user = await system.user(token, { timezone: 'America/New_York', profile });
  const get = async (path: string) => {
    const response = await system.call('GET', `/v1/users/${user}/${path}`, { token });
    expect([path, response.status]).toEqual([path, 200]);
    return response.body;
  };
  const isComplete = async (): Promise<boolean> => {
    const { series } = await get('daily?types=steps,asleep,resting_heart_rate,dietary_energy');
    if (Object.values<(number | null)[]>(series).some((values) => withoutNulls(values).length < 6)) return false;
    const lists = await Promise.all(['sleep', 'workouts'].map((kind) => get(kind)));
    const { latest } = await get('scores');
    const yesterday = daysBefore((await get('daily?types=steps')).to_date, 1);
    const { values } = await get(`timeseries?metric=heart_rate&date=${yesterday}&resolution=1h`);
    const scores = Object.values(latest).filter((score) => score !== null);
    return lists.every(({ data }) => data.length > 0) && withoutNulls(values).length >= 23 && scores.length === 5;
  };
  // Ends when the data is complete, or with the timeout of the test.
  while (!(await isComplete())) await pause(50);
}
