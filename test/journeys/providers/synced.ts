// Waits until a user's connected device has read all that it is owed.
import type { Connected } from '../../harness/connected.ts';

const mostRounds = 60;

/** For whoever waits for a first sync beside other tests. */
export const wholeHistoryMs = 180_000;

/** Vendors' limits are kept by the clock, so it has to move. */
export async function synced(connected: Connected, user: string, device: string): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    await connected.system.host.runSchedule('poll');
    await connected.system.settle();
    const { state } = (await deviceOf(connected, user, device))?.sync ?? {};
    if (state === 'current') return;
  }
  throw new Error(`the sync did not end: ${JSON.stringify(await deviceOf(connected, user, device))}`);
}

export async function deviceOf(connected: Connected, user: string, device: string) {
  const { body } = await connected.get(user, 'devices');
  return body.data.find(({ id }: { id: string }) => id === device);
}

/** The days' values of these metrics, those that have one. */
export async function dailyOf(
  connected: Connected,
  user: string,
  query: string,
): Promise<Record<string, Record<string, number>>> {
  const { body } = await connected.get(user, `daily?${query}`);
  const days: Record<string, Record<string, number>> = {};
  for (const [metric, values] of Object.entries<(number | null)[]>(body.series))
    values.forEach((value, at) => {
      if (value === null) return;
      const date: string = body.dates[at];
      days[date] = { ...days[date], [metric]: value };
    });
  return days;
}
