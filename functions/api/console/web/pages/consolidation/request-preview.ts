// Asks the API what a change of the settings would do, before anything is saved.
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import type { Patch } from './changes.ts';

export type Preview = Schemas['ConsolidationPreview']['data'];

/** What a change would do to the last days of a person. Nothing is stored. */
export async function requestPreview(personId: string, patch: Patch): Promise<Preview> {
  const params = { path: { id: personId } };
  const { data } = await unwrap(v1.POST('/v1/users/{id}/consolidation/preview', { params, body: patch }));
  return data;
}
