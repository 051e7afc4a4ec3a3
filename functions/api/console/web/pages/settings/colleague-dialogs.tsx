// Inviting a colleague, and what an owner can change about one.
import { useSignal } from '@preact/signals';
import { type ConsoleSchemas, consoleClient } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog, Dialog, Effect } from '../../parts/dialog.tsx';
import { closeDialog } from '../../parts/dialog-address.ts';
import { ActionForm, Field } from '../../parts/form.tsx';
import { Secret } from '../../parts/secret.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { showToast } from '../../parts/toast.tsx';
import type { Resource } from '../../state/resource.ts';
import { everyRole, loadSession, me } from '../../state/session.ts';
import { words } from '../../words/en.ts';
import { CancelButton, DoneButton } from './dialog-buttons.tsx';
import { MadeCredentialList, useMadeCredentials } from './made-credentials.tsx';

type Colleague = ConsoleSchemas['Colleague'];
type SignInLink = ConsoleSchemas['SignInLink'];
type Role = Colleague['role'];
type ColleagueList = Resource<{ data: Colleague[] }>;

const RoleField = ({ value, onChoice }: { value: Role; onChoice: (role: Role) => void }) => (
  <fieldset class="radio-list">
    <legend>{words.settings.colleagues.role}</legend>
    {everyRole.map((each) => (
      <label key={each}>
        <input type="radio" name="role" checked={value === each} onChange={() => onChoice(each)} />
        <span>
          {words.settings.colleagues.roles[each].name}
          <small>{words.settings.colleagues.roles[each].note}</small>
        </span>
      </label>
    ))}
  </fieldset>
);

export function InviteDialog({ list }: { list: ColleagueList }) {
  const chosen = useSignal<Role>('support');
  const invited = useSignal<ConsoleSchemas['InvitedColleague'] | undefined>(undefined);
  if (invited.value) {
    const { colleague, link } = invited.value;
    return (
      <Dialog title={words.settings.colleagues.invitedTitle(colleague.email)} onClose={closeDialog}>
        {link ? <IssuedLink link={link} email={colleague.email} /> : <MailedLink email={colleague.email} />}
      </Dialog>
    );
  }
  return (
    <Dialog title={words.settings.colleagues.invite} onClose={closeDialog}>
      <ActionForm
        action={words.settings.colleagues.invite}
        act={async (fields) => {
          const name = String(fields.get('name')).trim();
          const body = {
            email: String(fields.get('email')),
            role: chosen.value,
            ...(name === '' ? {} : { name }),
          };
          invited.value = await unwrap(consoleClient.POST('/console/api/colleagues', { body }));
          void list.reload();
        }}
      >
        <div class="dialog-text">
          <Field label={words.settings.colleagues.email}>
            <input type="email" name="email" required autocomplete="off" />
          </Field>
          <Field label={words.settings.colleagues.name} note={words.settings.optional}>
            <input name="name" maxLength={100} autocomplete="off" />
          </Field>
          <RoleField
            value={chosen.value}
            onChoice={(each) => {
              chosen.value = each;
            }}
          />
        </div>
      </ActionForm>
      <CancelButton />
    </Dialog>
  );
}

const IssuedLink = ({ link, email }: { link: SignInLink; email: string }) => (
  <div class="dialog-text">
    <p>{words.settings.colleagues.passLinkOn(email)}</p>
    <Secret text={link.url} label={words.settings.colleagues.copyLink} />
    <p class="muted">
      {words.settings.colleagues.linkEnds} <RelativeTime at={link.expires_at} />
    </p>
    <DoneButton name={words.settings.done} />
  </div>
);

const MailedLink = ({ email }: { email: string }) => (
  <div class="dialog-text">
    <p>{words.settings.colleagues.mailed(email)}</p>
    <DoneButton name={words.settings.done} />
  </div>
);

interface ColleagueDialogProps {
  act: string;
  colleague: Colleague;
  list: ColleagueList;
}

export function ColleagueDialog({ act, colleague, list }: ColleagueDialogProps) {
  if (act === 'change-role') return <RoleDialog colleague={colleague} list={list} />;
  if (act === 'new-link') return <LinkDialog colleague={colleague} list={list} />;
  if (act !== 'remove-colleague') return null;
  return <RemoveDialog colleague={colleague} list={list} />;
}

function RemoveDialog({ colleague, list }: Omit<ColleagueDialogProps, 'act'>) {
  const { id, email } = colleague;
  const made = useMadeCredentials(id);
  return (
    <ConfirmDialog
      title={words.settings.colleagues.acts['remove-colleague'].label(email)}
      name={email}
      action={words.settings.colleagues.acts['remove-colleague'].name}
      isDangerous
      effectOf="colleague.removed"
      canAct={made.isKnown()}
      onClose={closeDialog}
      act={async () => {
        const params = { path: { id }, query: made.choice() };
        await unwrap(consoleClient.DELETE('/console/api/colleagues/{id}', { params }));
        await afterChange(colleague, list);
        showToast(words.settings.colleagues.removed(email));
      }}
    >
      <MadeCredentialList of={made} />
    </ConfirmDialog>
  );
}

/** What an owner changes about themselves also changes this page. */
async function afterChange({ id }: Colleague, list: ColleagueList): Promise<void> {
  if (id === me.peek()?.colleague.id) await loadSession();
  await list.reload();
}

function RoleDialog({ colleague, list }: Omit<ColleagueDialogProps, 'act'>) {
  const chosen = useSignal<Role>(colleague.role);
  const made = useMadeCredentials(colleague.id, chosen.value);
  return (
    <ConfirmDialog
      title={words.settings.colleagues.acts['change-role'].label(colleague.email)}
      action={words.settings.colleagues.acts['change-role'].name}
      canAct={made.isKnown()}
      onClose={closeDialog}
      act={async () => {
        const params = { path: { id: colleague.id }, query: made.choice() };
        await unwrap(consoleClient.PATCH('/console/api/colleagues/{id}', { params, body: { role: chosen.value } }));
        await afterChange(colleague, list);
        showToast(
          words.settings.colleagues.changed(colleague.email, words.settings.colleagues.roles[chosen.value].name),
        );
      }}
    >
      <RoleField
        value={chosen.value}
        onChoice={(each) => {
          chosen.value = each;
        }}
      />
      <Effect of="colleague.updated" />
      {chosen.value !== colleague.role && <MadeCredentialList of={made} />}
    </ConfirmDialog>
  );
}

function LinkDialog({ colleague, list }: Omit<ColleagueDialogProps, 'act'>) {
  const link = useSignal<SignInLink | undefined>(undefined);
  const { id, email } = colleague;
  const made = useMadeCredentials(id);
  return (
    <Dialog title={words.settings.colleagues.acts['new-link'].label(email)} onClose={closeDialog}>
      {link.value ? (
        <IssuedLink link={link.value} email={email} />
      ) : (
        <>
          <ActionForm
            action={words.settings.colleagues.acts['new-link'].name}
            act={async () => {
              link.value = await unwrap(
                consoleClient.POST('/console/api/colleagues/{id}/link', {
                  params: { path: { id }, query: made.choice() },
                }),
              );
              void list.reload();
            }}
          >
            <div class="dialog-text">
              <p>{words.settings.colleagues.linkNote}</p>
              <Effect of="colleague.access_reset" />
              <MadeCredentialList of={made} />
            </div>
          </ActionForm>
          <CancelButton />
        </>
      )}
    </Dialog>
  );
}
