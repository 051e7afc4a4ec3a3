// Parses the ids in a query parameter: keeps their order, removes duplicates and rejects
// unsupported ids.
import { Failure } from '../../system/failure.ts';

/** The ids that a parameter supports, and the advice for any other id. */
export interface SupportedIds<Id extends string> {
  parameter: string;
  isSupported: (text: string) => text is Id;
  advice: (unsupported: readonly string[]) => string;
}

export const requestedIds = <Id extends string>(list: string, supported: SupportedIds<Id>): Id[] =>
  assertSupported([...new Set(list.split(',').map((id) => id.trim()))], supported);

export function requestedId<Id extends string>(text: string, supported: SupportedIds<Id>): Id {
  const [id] = assertSupported([text.trim()], supported);
  if (id === undefined) throw new Error('expected one id, but found none');
  return id;
}

function assertSupported<Id extends string>(ids: string[], { parameter, isSupported, advice }: SupportedIds<Id>): Id[] {
  const unsupported = ids.filter((id) => !isSupported(id)).map((id) => id.slice(0, 64));
  if (unsupported.length === 0) return ids.filter(isSupported);
  const examples = unsupported.slice(0, 5).map((id) => id || 'an empty value');
  throw new Failure(
    'invalid_types',
    `${parameter} contains unsupported values (${examples.join(', ')}): ${advice(unsupported)}.`,
    {
      details: { [parameter]: unsupported },
    },
  );
}
