// Where a person goes on in the app that sent them, and what it learns there of how connecting went.
import type { ConnectOutcome } from '../../../shared/connections/connect/complete-connection.ts';

const reservedParameters: ReadonlySet<string> = new Set(['status', 'device_id', 'error']);

/** Its own query stays as it was written, but for names that are ours. Undefined: no app waits. */
export function buildAppUrl({ redirectUrl, problem, deviceId }: ConnectOutcome): string | undefined {
  if (redirectUrl === undefined) return undefined;
  const [, address = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(redirectUrl) ?? [];
  const otherPairs = query.split('&').filter((pair) => pair !== '' && !reservedParameters.has(readParameterName(pair)));
  const outcomeParameters = new URLSearchParams({
    status: problem === undefined ? 'connected' : 'error',
    ...(deviceId === undefined ? {} : { device_id: deviceId }),
    ...(problem === undefined ? {} : { error: problem }),
  });
  return `${address}?${[...otherPairs, outcomeParameters.toString()].join('&')}${fragment}`;
}

const readParameterName = (pair: string): string => [...new URLSearchParams(pair).keys()][0] ?? '';
