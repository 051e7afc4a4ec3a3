// Builds Polar's pages by hand, and reads their records.
import { normalizePolar } from '../../../../shared/providers/polar/normalize.ts';

export interface Page {
  resource: string;
  text: string;
  parameter?: string;
}
export const page = (resource: string, body: unknown, parameter?: string): Page => ({
  resource,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  ...(parameter === undefined ? {} : { parameter }),
});

export const requestedDays = { from: '2026-03-10', to: '2026-03-12' };

export function normalized(
  pages: readonly Page[],
  {
    timeZone = 'Europe/Helsinki',
    window = requestedDays,
    received = '2026-03-12T12:00:00Z',
  }: { timeZone?: string | null; window?: typeof requestedDays; received?: string } = {},
) {
  const facts = { receivedMs: Date.parse(received), scopes: [], timeZone };
  return normalizePolar(Buffer.from(JSON.stringify({ requested: window, pages })), facts);
}
