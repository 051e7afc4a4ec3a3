// Generates ids, each with the prefix of its kind.

import type { Deps } from './deps.ts';
import { type IdKind, makeId } from './ids.ts';

export const newId = ({ clock, random }: Pick<Deps, 'clock' | 'random'>, kind: IdKind): string =>
  makeId(kind, clock.now(), random.bytes(10));
