// A request and its answer as the kit sees them. The runtime's own Request and Response would do, but their first use loads a whole
// HTTP client, which costs a cold function more than everything else it does.

export interface Incoming {
  method: string;
  url: string;
  headers: { get(name: string): string | null };
  body: Uint8Array;
}

export interface Outgoing {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

export function headersOf(given: Readonly<Record<string, string | undefined>>): Incoming['headers'] {
  const byName = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  return { get: (name) => byName.get(name.toLowerCase()) ?? null };
}

/** Holds because the router reads nothing of a request but its method, url and headers, */
export const asRequest = (incoming: Incoming): Request => incoming as unknown as Request;
/** gives the handlers the very object it was given, */
export const asIncoming = (request: Request): Incoming => request as unknown as Incoming;
/** and hands an answer on untouched. */
export const asResponse = (outgoing: Outgoing): Response => outgoing as unknown as Response;
export const asOutgoing = (response: Response): Outgoing => response as unknown as Outgoing;
