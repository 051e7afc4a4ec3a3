// Reads the clock of a time zone through Intl, which is slow but independent of the product's own
// arithmetic.

const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  formats.set(zone, format);
  return format;
}

/** Returns the local time as `YYYY-MM-DDTHH:MM:SS`. */
export function intlClock(zone: string, ms: number): string {
  const parts = new Map(
    getFormat(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  const date = `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`;
  return `${date}T${parts.get('hour')}:${parts.get('minute')}:${parts.get('second')}`;
}

export const intlDate = (zone: string, ms: number): string => intlClock(zone, ms).slice(0, 10);
