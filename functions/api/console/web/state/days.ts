// Calendar days, and the instants at which they begin in a time zone.

const dayMilliseconds = 86_400_000;

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMilliseconds).toISOString().slice(0, 10);

/** Today in a time zone, as `YYYY-MM-DD`. */
export const todayIn = (zone: string, nowMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(nowMs);

/** The instant at which a day begins, in milliseconds. */
export function dayStartMs(date: string, zone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // The offset at the guess can differ from that at the result on a day when clocks change.
  const guess = midnight - zoneOffsetMs(midnight, zone);
  return midnight - zoneOffsetMs(guess, zone);
}

function zoneOffsetMs(atMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const valueOf = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    valueOf('year'),
    valueOf('month') - 1,
    valueOf('day'),
    valueOf('hour'),
    valueOf('minute'),
    valueOf('second'),
  );
  return local - Math.floor(atMs / 1000) * 1000;
}
