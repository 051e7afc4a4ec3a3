// Inviting someone to share their data, and what can be done about members and invitations.
import { useSignal } from '@preact/signals';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { ConfirmDialog, Dialog } from '../../parts/dialog.tsx';
import { closeDialog } from '../../parts/dialog-address.ts';
import { ActionForm, Field } from '../../parts/form.tsx';
import { Secret } from '../../parts/secret.tsx';
import { showToast } from '../../parts/toast.tsx';
import { words } from '../../words/en.ts';
import { CancelButton, DoneButton } from './dialog-buttons.tsx';

type IssuedInvitation = Schemas['IssuedInvitation'];
type Reload = () => Promise<void>;

// The keys are those of a table whose type says so.
const languages = Object.keys(words.roster.languages) as Schemas['Language'][];

export function InviteMemberDialog({ reload }: { reload: Reload }) {
  const issued = useSignal<IssuedInvitation | undefined>(undefined);
  if (issued.value)
    return (
      <Dialog title={words.roster.issuedTitle(issued.value.email ?? '')} onClose={closeDialog}>
        <IssuedNote joinUrl={issued.value.join_url} />
      </Dialog>
    );
  return (
    <Dialog title={words.roster.invite} onClose={closeDialog}>
      <ActionForm
        action={words.roster.invite}
        act={async (fields) => {
          const read = (name: string): string => String(fields.get(name) ?? '').trim();
          const language = languages.find((each) => each === read('language'));
          const body = {
            email: read('email'),
            ...(read('name') === '' ? {} : { name: read('name') }),
            ...(read('user_id') === '' ? {} : { user_id: read('user_id') }),
            ...(language ? { language } : {}),
          };
          issued.value = await unwrap(v1.POST('/v1/team/roster/invitations', { body }));
          void reload();
        }}
      >
        <div class="dialog-text">
          <Field label={words.roster.email}>
            <input type="email" name="email" required autocomplete="off" />
          </Field>
          <Field label={words.roster.name} note={words.settings.optional}>
            <input name="name" maxLength={100} autocomplete="off" />
          </Field>
          <Field label={words.roster.person} note={words.roster.personNote}>
            <input name="user_id" maxLength={64} autocomplete="off" spellcheck={false} />
          </Field>
          <Field label={words.roster.language}>
            <select name="language">
              {languages.map((each) => (
                <option key={each} value={each}>
                  {words.roster.languages[each]}
                </option>
              ))}
            </select>
          </Field>
        </div>
      </ActionForm>
      <CancelButton />
    </Dialog>
  );
}

const IssuedNote = ({ joinUrl }: { joinUrl: string | undefined }) => (
  <div class="dialog-text">
    {joinUrl === undefined ? (
      <p>{words.roster.mailed}</p>
    ) : (
      <>
        <p>{words.roster.passLinkOn}</p>
        <Secret text={joinUrl} label={words.roster.copyLink} />
      </>
    )}
    <DoneButton name={words.settings.done} />
  </div>
);

interface MemberDialogProps {
  act: string;
  member: Schemas['Member'];
  reload: Reload;
}

export function MemberDialog({ act, member: { id, email }, reload }: MemberDialogProps) {
  const params = { path: { id } };
  if (act === 'remove-member')
    return (
      <ConfirmDialog
        title={words.roster.acts[act].label(email)}
        name={email}
        action={words.roster.acts[act].name}
        isDangerous
        effectOf="member.removed"
        onClose={closeDialog}
        act={async () => {
          await unwrap(v1.DELETE('/v1/team/roster/{id}', { params }));
          await reload();
          showToast(words.roster.acts[act].done(email));
        }}
      />
    );
  if (act !== 'archive-member' && act !== 'reactivate-member') return null;
  return (
    <ConfirmDialog
      title={words.roster.acts[act].label(email)}
      action={words.roster.acts[act].name}
      onClose={closeDialog}
      act={async () => {
        const body = { status: act === 'archive-member' ? 'archived' : 'active' } as const;
        await unwrap(v1.PATCH('/v1/team/roster/{id}', { params, body }));
        await reload();
        showToast(words.roster.acts[act].done(email));
      }}
    >
      <p>{words.roster.acts[act].note}</p>
    </ConfirmDialog>
  );
}

interface InvitationDialogProps {
  act: string;
  invitation: Schemas['Invitation'];
  reload: Reload;
}

export function InvitationDialog({ act, invitation, reload }: InvitationDialogProps) {
  const issued = useSignal<IssuedInvitation | undefined>(undefined);
  const { id } = invitation;
  const email = invitation.email ?? id;
  const params = { path: { id } };
  if (issued.value)
    return (
      <Dialog title={words.roster.issuedTitle(issued.value.email ?? '')} onClose={closeDialog}>
        <IssuedNote joinUrl={issued.value.join_url} />
      </Dialog>
    );
  if (act === 'resend-invitation')
    return (
      <Dialog title={words.roster.acts[act].label(email)} onClose={closeDialog}>
        <ActionForm
          action={words.roster.acts[act].name}
          act={async () => {
            issued.value = await unwrap(v1.POST('/v1/team/roster/invitations/{id}/resend', { params }));
            void reload();
          }}
        >
          <p class="dialog-text">{words.roster.acts[act].note}</p>
        </ActionForm>
        <CancelButton />
      </Dialog>
    );
  if (act !== 'revoke-invitation') return null;
  return (
    <ConfirmDialog
      title={words.roster.acts[act].label(email)}
      action={words.roster.acts[act].name}
      isDangerous
      effectOf="invitation.revoked"
      onClose={closeDialog}
      act={async () => {
        await unwrap(v1.DELETE('/v1/team/roster/invitations/{id}', { params }));
        await reload();
        showToast(words.roster.acts[act].done(email));
      }}
    />
  );
}
