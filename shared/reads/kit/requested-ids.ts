// Ids as a query writes them: in their order, each once, and nothing that is not served.
import { Failure } from '../../system/failure.ts';

/** What a parameter takes, and what to do about anything else. */
export interface Served<Id extends string> {
  parameter: string;
  isServed: (text: string) => text is Id;
  advice: (unsupported: readonly string[]) => string;
}

export const requestedIds = <Id extends string>(list: string, served: Served<Id>): Id[] =>
  onlyServed([...new Set(list.split(',').map((id) => id.trim()))], served);

export function requestedId<Id extends string>(text: string, served: Served<Id>): Id {
  const [id] = onlyServed([text.trim()], served);
  if (id === undefined) throw new Error('one id was given and none came back');
  return id;
}

function onlyServed<Id extends string>(named: string[], { parameter, isServed, advice }: Served<Id>): Id[] {
  const unsupported = named.filter((id) => !isServed(id)).map((id) => id.slice(0, 64));
  if (unsupported.length === 0) return named.filter(isServed);
  const few = unsupported.slice(0, 5).map((id) => id || 'an empty value');
  throw new Failure(
    'invalid_types',
    `${parameter} contains unsupported values (${few.join(', ')}): ${advice(unsupported)}.`,
    {
      details: { [parameter]: unsupported },
    },
  );
}
