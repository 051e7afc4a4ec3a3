// The keys of made credentials (`made-credential-rows.ts`).
import type { Key } from '../platform/ports.ts';
import { userPartition } from './keys.ts';

interface MadeCredentialName {
  colleague: string;
  kind: string;
  id: string;
}

export const madeCredentialPartition = (colleague: string): string => `MADE#${colleague}`;

export const madeCredentialKey = ({ colleague, kind, id }: MadeCredentialName): Key => ({
  pk: madeCredentialPartition(colleague),
  sk: `${kind}#${id}`,
});

const pointerPrefix = 'MADE#';

export const madeCredentialPointer = {
  key: (user: string, { colleague, kind, id }: MadeCredentialName): Key => ({
    pk: userPartition(user),
    sk: pointerPrefix + [colleague, kind, id].join('#'),
  }),
  /** The row that it points to; undefined for any other row. */
  parseTarget({ sk }: Key): Key | undefined {
    if (!sk.startsWith(pointerPrefix)) return undefined;
    const [colleague = '', kind = '', id = ''] = sk.slice(pointerPrefix.length).split('#');
    return madeCredentialKey({ colleague, kind, id });
  },
} as const;
