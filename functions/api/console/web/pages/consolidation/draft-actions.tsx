// The changes that are not saved yet, what they would do, and saving them with one request.
import { useSignal } from '@preact/signals';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { FailureNote } from '../../parts/panel.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useAction } from '../../state/action.ts';
import { words } from '../../words/en.ts';
import type { Person } from '../person/person-state.ts';
import { ChangePreview } from './change-preview.tsx';
import { listChanges, type Patch } from './changes.ts';
import { describeChange } from './describe-change.ts';
import type { Draft } from './draft.ts';
import { followChange, type SavedChange } from './rebuild-progress.tsx';
import { type Preview, requestPreview } from './request-preview.ts';

const texts = words.consolidation.draft;

interface DraftActionsProps {
  person: Person;
  saved: Draft;
  draft: Draft;
  /** The difference of the two. */
  patch: Patch;
  onDiscard: () => void;
  /** Without a change to follow if no days are computed again, or if there was no preview to compare them with. */
  onSaved: (change: SavedChange | undefined) => Promise<void>;
}

export function DraftActions({ person, saved, draft, patch, onDiscard, onSaved }: DraftActionsProps) {
  const previewed = useSignal<{ patch: Patch; preview: Preview } | undefined>(undefined);
  const { isActing, failure, run } = useAction();
  const changes = listChanges(saved, draft).map((change) => describeChange(draft, change));
  // A preview is one of exactly these changes.
  const preview = isSamePatch(previewed.value?.patch, patch) ? previewed.value?.preview : undefined;
  const canPreview = person.status !== 'unshared';
  const save = async (): Promise<void> => {
    const change = preview && (await followChange(person, preview));
    const params = { path: { id: person.id } };
    const { status } = await unwrap(v1.PATCH('/v1/users/{id}/consolidation', { params, body: patch }));
    showToast(status === 'unchanged' ? texts.unchanged : texts.saved);
    await onSaved(status === 'reconsolidating' ? change : undefined);
  };
  return (
    <section class="draft" aria-labelledby="draft-title">
      <h3 id="draft-title">{texts.heading}</h3>
      <ul class="change-list">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <div class="actions">
        <button
          type="button"
          class="button"
          disabled={!canPreview || isActing.value}
          onClick={() =>
            void run(async () => {
              previewed.value = { patch, preview: await requestPreview(person.id, patch) };
            })
          }
        >
          {texts.preview}
        </button>
        <button
          type="button"
          class="primary-button"
          disabled={(canPreview && !preview) || isActing.value}
          onClick={() => void run(save)}
        >
          {texts.save}
        </button>
        <button type="button" class="button" disabled={isActing.value} onClick={onDiscard}>
          {texts.discard}
        </button>
      </div>
      {!canPreview && <p class="muted small">{texts.noPreview}</p>}
      {canPreview && !preview && <p class="muted small">{texts.previewFirst}</p>}
      <FailureNote failure={failure.value} />
      {preview && <ChangePreview preview={preview} condition={words.consolidation.preview.condition(changes)} />}
    </section>
  );
}

const isSamePatch = (a: Patch | undefined, b: Patch): boolean => JSON.stringify(a) === JSON.stringify(b);
