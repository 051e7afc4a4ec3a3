// Ids as a query writes them: in their order, each once, and nothing that is not served.
import { Failure } from '../../system/failure.ts';

/** What a parameter takes, and what to do about anything else. */
export interface SupportedIds<Id extends string> {
  parameter: string;
  isSupported: (text: string) => text is Id;
  advice: (unsupported: readonly string[]) => string;
}

export const requestedIds = <Id extends string>(list: string, supported: SupportedIds<Id>): Id[] =>
  assertSupported([...new Set(list.split(',').map((id) => id.trim()))], supported);

export function requestedId<Id extends string>(text: string, supported: SupportedIds<Id>): Id {
  const [id] = assertSupported([text.trim()], supported);
  if (id === undefined) throw new Error('one id was given and none came back');
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
