// Restores every default after a question that says what it would change.
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog, Effect } from '../../parts/dialog.tsx';
import { closeDialog, openDialog, openedDialog } from '../../parts/dialog-address.ts';
import { Panel } from '../../parts/panel.tsx';
import { showToast } from '../../parts/toast.tsx';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { Person } from '../person/person-state.ts';
import { PreviewSummary } from './change-preview.tsx';
import { toPatch } from './changes.ts';
import { type Draft, restoreAll } from './draft.ts';
import { followChange, type SavedChange } from './rebuild-progress.tsx';
import { requestPreview } from './request-preview.ts';

const texts = words.consolidation.restore;
const dialogName = 'restore-defaults';

interface RestoreDefaultsProps {
  person: Person;
  saved: Draft;
  /** Whether there are changes that are not saved. */
  hasDraft: boolean;
  onSaved: (change: SavedChange | undefined) => Promise<void>;
}

export const RestoreDefaults = (props: RestoreDefaultsProps) => (
  <>
    <button type="button" class="button" onClick={() => openDialog(dialogName)}>
      {texts.button}
    </button>
    {openedDialog.value.act === dialogName && <RestoreDialog {...props} />}
  </>
);

function RestoreDialog({ person, saved, hasDraft, onSaved }: RestoreDefaultsProps) {
  const patch = toPatch(saved, restoreAll(saved));
  const canPreview = patch !== undefined && person.status !== 'unshared';
  const preview = useResource(
    canPreview ? `defaults ${environment.value} ${person.id} ${JSON.stringify(patch)}` : undefined,
    async () => (patch === undefined ? undefined : requestPreview(person.id, patch)),
  );
  const restore = async (): Promise<void> => {
    const known = preview.data.value;
    const change = known && (await followChange(person, known));
    const params = { path: { id: person.id } };
    const { status } = await unwrap(v1.DELETE('/v1/users/{id}/consolidation', { params }));
    showToast(status === 'unchanged' ? texts.unchanged : texts.done);
    closeDialog();
    await onSaved(status === 'reconsolidating' ? change : undefined);
  };
  const isPreviewPending = canPreview && preview.data.value === undefined && preview.failure.value === undefined;
  return (
    <ConfirmDialog
      title={texts.title}
      action={texts.action}
      canAct={patch !== undefined && !isPreviewPending}
      act={restore}
      onClose={closeDialog}
    >
      {patch === undefined ? (
        <p>{texts.unchanged}</p>
      ) : (
        <>
          <Effect of="consolidation.reset" />
          {hasDraft && <p>{texts.discards}</p>}
          {canPreview ? (
            <Panel of={preview} minHeight="3rem">
              {(loaded) => loaded && <PreviewSummary preview={loaded} condition={texts.condition} />}
            </Panel>
          ) : (
            <p>{words.consolidation.draft.noPreview}</p>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
