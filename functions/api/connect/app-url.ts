// Builds the URL that returns the user to the app they came from, with the outcome of connecting.
import type { ConnectOutcome } from '../../../shared/connections/connect/complete-connection.ts';

const reservedParameters: ReadonlySet<string> = new Set(['status', 'device_id', 'error']);

/**
 * Keeps the URL's own query parameters, except for the reserved ones. Returns undefined when there
 * is no redirect URL.
 */
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
