// Which providers count, metric by metric, and what a change would do before it is saved.
import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { useResource } from '../../state/resource.ts';
import { isPermitted, me } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import type { Person, PersonContext } from '../person/person-state.ts';
import { applyToDraft, toPatch } from './changes.ts';
import { closeSetting, readChosenSetting } from './chosen-setting.ts';
import { createDraft, type Draft } from './draft.ts';
import { DraftActions } from './draft-actions.tsx';
import { RebuildProgress, type SavedChange } from './rebuild-progress.tsx';
import { RestoreDefaults } from './restore-defaults.tsx';
import { SettingEditor } from './setting-editor.tsx';
import { SettingsOverview } from './settings-overview.tsx';
import { readUnsavedPatch, storeUnsavedPatch } from './unsaved-patches.ts';

const texts = words.consolidation;

/** The last change that was saved. Its number tells it from the one before. */
interface FollowedChange {
  number: number;
  change: SavedChange;
}

export function ConsolidationTab({ context: { person } }: { context: PersonContext }) {
  const lastChange = useSignal<FollowedChange | undefined>(undefined);
  const params = { path: { id: person.id } };
  const loaded = useResource(`consolidation ${environment.value} ${person.id}`, async () => {
    const [configuration, catalog] = await Promise.all([
      unwrap(v1.GET('/v1/users/{id}/consolidation', { params })),
      unwrap(v1.GET('/v1/consolidation/catalog')),
    ]);
    return { configuration, catalog };
  });
  const onSaved = async (change: SavedChange | undefined): Promise<void> => {
    await loaded.reload();
    lastChange.value = change && { number: (lastChange.value?.number ?? 0) + 1, change };
  };
  return (
    <Panel of={loaded} minHeight="20rem">
      {({ configuration, catalog }) => {
        const saved = createDraft(configuration, catalog);
        if (!isPermitted('state'))
          return (
            <>
              <p class="muted">{texts.readOnly}</p>
              <SettingsOverview saved={saved} draft={saved} canEdit={false} chosen={undefined} />
            </>
          );
        return <EditableSettings person={person} saved={saved} lastChange={lastChange} onSaved={onSaved} />;
      }}
    </Panel>
  );
}

interface EditableSettingsProps {
  person: Person;
  saved: Draft;
  lastChange: Signal<FollowedChange | undefined>;
  onSaved: (change: SavedChange | undefined) => Promise<void>;
}

function EditableSettings({ person, saved, lastChange, onSaved }: EditableSettingsProps) {
  const settings = useRef<HTMLDivElement>(null);
  const find = (selector: string) => settings.current?.querySelector<HTMLElement>(selector);
  // What had the focus is about to go, and the keyboard would begin again at the top of the page.
  const focusSettings = (): void => (find('.setting h2') ?? find('.table-scroll'))?.focus();
  const closeEditor = (): void => {
    const link = find('.settings-overview a[aria-current]');
    closeSetting();
    link?.focus();
  };
  // Another session begins without what was typed in this one.
  const key = `${me.value?.session.id} ${environment.value} ${person.id}`;
  const unsaved = readUnsavedPatch(key);
  const draft = unsaved ? applyToDraft(saved, unsaved) : saved;
  const setDraft = (next: Draft): void => storeUnsavedPatch(key, toPatch(saved, next));
  const finishSave = async (change: SavedChange | undefined): Promise<void> => {
    await onSaved(change);
    if (!change) focusSettings();
    // An edit made while the request was under way is still not saved.
    if (readUnsavedPatch(key) === unsaved) storeUnsavedPatch(key, undefined);
  };
  const finishRestore = async (change: SavedChange | undefined): Promise<void> => {
    storeUnsavedPatch(key, undefined);
    await onSaved(change);
  };
  const chosen = readChosenSetting(draft);
  const patch = toPatch(saved, draft);
  const followed = lastChange.value;
  const isAsideOpen = chosen !== undefined || patch !== undefined || followed !== undefined;
  return (
    <>
      <div class="consolidation-head">
        <p class="muted">{texts.intro}</p>
        <RestoreDefaults person={person} saved={saved} hasDraft={patch !== undefined} onSaved={finishRestore} />
      </div>
      <div ref={settings} class={isAsideOpen ? 'with-aside' : undefined}>
        <SettingsOverview saved={saved} draft={draft} canEdit chosen={chosen} />
        {isAsideOpen && (
          <aside class="aside" aria-label={texts.editor.label}>
            {chosen && <SettingEditor chosen={chosen} draft={draft} onChange={setDraft} onClose={closeEditor} />}
            {patch && (
              <DraftActions
                person={person}
                saved={saved}
                draft={draft}
                patch={patch}
                onDiscard={() => {
                  setDraft(saved);
                  focusSettings();
                }}
                onSaved={finishSave}
              />
            )}
            {followed && (
              <RebuildProgress
                key={followed.number}
                personId={person.id}
                change={followed.change}
                onClose={() => {
                  lastChange.value = undefined;
                  focusSettings();
                }}
              />
            )}
          </aside>
        )}
      </div>
    </>
  );
}
