// What a colleague made that still works: what ends with their access, and what to replace.
import { type Signal, useSignal } from '@preact/signals';
import { type ConsoleSchemas, consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Id } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { type Resource, useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';

type Made = ConsoleSchemas['MadeCredentials'];

export interface MadeChoice {
  made: Resource<Made>;
  isKept: Signal<boolean>;
  /** Whether the reader has seen what ends. */
  isKnown(): boolean;
  choice(): { credentials: 'end' | 'keep' };
}

/** `role` is the role that the colleague will have; without one they leave or are reset. */
export function useMadeCredentials(id: string, role?: ConsoleSchemas['Colleague']['role']): MadeChoice {
  const made = useResource(`made ${id} ${role ?? ''}`, () =>
    unwrap(
      consoleClient.GET('/console/api/colleagues/{id}/credentials', {
        params: { path: { id }, query: role === undefined ? {} : { new_role: role } },
      }),
    ),
  );
  const isKept = useSignal(false);
  return {
    made,
    isKept,
    isKnown: () => made.data.value !== undefined,
    choice: () => ({ credentials: isKept.peek() ? 'keep' : 'end' }),
  };
}

export const MadeCredentialList = ({ of: { made, isKept } }: { of: MadeChoice }) => (
  <Panel of={made} minHeight="3rem">
    {({ credentials, to_rotate }) => (
      <>
        {credentials.length === 0 ? (
          <p class="muted">{words.settings.colleagues.made.nothing}</p>
        ) : (
          <>
            <p>{words.settings.colleagues.made.ends}</p>
            <ul>
              {credentials.map(({ kind, environment, count }) => (
                <li key={`${environment} ${kind}`}>
                  {words.settings.colleagues.made.kinds[kind]} (
                  {words.settings.colleagues.made.environments[environment]}
                  ): {count}
                </li>
              ))}
            </ul>
            <div class="radio-list">
              <label>
                <input
                  type="checkbox"
                  checked={isKept.value}
                  onChange={(event) => {
                    isKept.value = event.currentTarget.checked;
                  }}
                />
                <span>{words.settings.colleagues.made.keep}</span>
              </label>
            </div>
          </>
        )}
        {to_rotate.length > 0 && (
          <>
            <p>{words.settings.colleagues.made.rotate}</p>
            <ul>
              {to_rotate.map(({ kind, id, environment }) => (
                <li key={id}>
                  {words.settings.colleagues.made.secrets[kind]} (
                  {words.settings.colleagues.made.environments[environment]}) <Id value={id} />
                </li>
              ))}
            </ul>
          </>
        )}
      </>
    )}
  </Panel>
);
