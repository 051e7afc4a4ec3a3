// Keys, colleagues, the roster, the audit trail and limits. Which of them a role has is decided
// by the API; a tab that would only show a refusal is left out.
import type { ComponentType } from 'preact';
import { address } from '../address/address.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type ConsoleRole, everyRole, hasRole, role, valueRoles } from '../state/session.ts';
import { words } from '../words/en.ts';
import { AuditTab } from './settings/audit-tab.tsx';
import { ColleaguesTab } from './settings/colleagues-tab.tsx';
import { KeysTab } from './settings/keys-tab.tsx';
import { LimitsTab } from './settings/limits-tab.tsx';
import { RosterTab } from './settings/roster-tab.tsx';

interface SettingsTab {
  id: 'keys' | 'colleagues' | 'roster' | 'audit' | 'limits';
  roles: readonly ConsoleRole[];
  content: ComponentType;
}

const allTabs: readonly SettingsTab[] = [
  { id: 'keys', roles: valueRoles, content: KeysTab },
  { id: 'colleagues', roles: everyRole, content: ColleaguesTab },
  { id: 'roster', roles: everyRole, content: RosterTab },
  { id: 'audit', roles: valueRoles, content: AuditTab },
  { id: 'limits', roles: everyRole, content: LimitsTab },
];

export function SettingsPage() {
  const tabs = allTabs.filter(({ roles }) => hasRole(roles));
  const current = tabs.find(({ id }) => id === address.value.query['tab']) ?? tabs[0];
  if (!current) return null;
  const nameOf = (id: SettingsTab['id']): string =>
    id === 'colleagues' && role.value !== 'owner' ? words.settings.tabs.signingIn : words.settings.tabs[id];
  return (
    <>
      <PageHead title={words.settings.title} />
      <Tabs
        label={words.settings.title}
        name="tab"
        choices={tabs.map(({ id }) => ({ id, name: nameOf(id) }))}
        current={current.id}
      />
      <current.content key={current.id} />
    </>
  );
}
