// Where a person goes on in the app that sent them, and what it learns there of how connecting went.
import type { ConnectOutcome } from '../../../shared/connections/connect/complete.ts';

const ours: ReadonlySet<string> = new Set(['status', 'device_id', 'error']);

/** Its own query stays as it was written, but for names that are ours. Undefined: no app waits. */
export function appUrl({ redirectUrl, problem, deviceId }: ConnectOutcome): string | undefined {
  if (redirectUrl === undefined) return undefined;
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(redirectUrl) ?? [];
  const kept = query.split('&').filter((pair) => pair !== '' && !ours.has(nameOf(pair)));
  const told = new URLSearchParams({
    status: problem === undefined ? 'connected' : 'error',
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(problem === undefined ? {} : { error: problem }),
  });
  return `${address}?${[...kept, told.toString()].join('&')}${fragment}`;
}

const nameOf = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';
