// The closed list of acts that the audit trail names, one entry per act.

interface ActionRule {
  /** What was done, as the documentation says it. */
  text: string;
  /**
   * Not recorded for API keys. A backend does these for every user and every start of an app, so
   * the entry would double their writes and only repeat that the backend works. What they change
   * is in the events feed.
   */
  skipsApiKeys?: true;
  /** About the account and not about one environment. The trail of `live` has the entry. */
  isAccountWide?: true;
}

const rules = {
  'account.created': { text: 'Created the account.', isAccountWide: true },
  'account.suspended': { text: 'Suspended the account.', isAccountWide: true },
  'account.resumed': { text: 'Resumed the account.', isAccountWide: true },
  'account.limit_changed': { text: 'Changed the rate limit of the account.', isAccountWide: true },
  'key.replaced': { text: 'Created an API key, which ends the previous one.', isAccountWide: true },
  'key.revoked': { text: 'Revoked the API keys of an environment.', isAccountWide: true },
  'colleague.invited': { text: 'Invited a colleague to the console.', isAccountWide: true },
  'colleague.updated': { text: 'Changed the role or the name of a colleague.', isAccountWide: true },
  'colleague.removed': { text: 'Removed a colleague.', isAccountWide: true },
  'colleague.link_created': {
    text: 'Created a sign-in link for a colleague, who is new if the command line names an unknown address. A link that an owner creates in the console ends the passkeys and sessions of the colleague.',
    isAccountWide: true,
  },
  'session.created': { text: 'Signed in to the console.', isAccountWide: true },
  'session.ended': { text: 'Signed out of the console.', isAccountWide: true },
  'session.revoked': { text: 'Revoked a session of the console.', isAccountWide: true },
  'passkey.created': { text: 'Registered a passkey.', isAccountWide: true },
  'passkey.removed': { text: 'Removed a passkey.', isAccountWide: true },
  'user.created': { text: 'Created a user.', skipsApiKeys: true },
  'user.updated': { text: 'Changed a user.', skipsApiKeys: true },
  'user.deleted': { text: 'Deleted a user, whose data is then erased.' },
  'user.looked_at': { text: 'Read about a user. One entry per colleague, user and hour.', skipsApiKeys: true },
  'user_token.created': { text: "Created a token for a user's app.", skipsApiKeys: true },
  'mobile_token.created': { text: 'Created a mobile token.', skipsApiKeys: true },
  'sdk_session.created': { text: 'Opened a session of the Mobile SDK.', skipsApiKeys: true },
  'sdk_session.revoked': { text: 'Revoked a session of the Mobile SDK.' },
  'device.connection_started': { text: 'Started to connect a device.', skipsApiKeys: true },
  'device.disconnected': { text: 'Disconnected a device.' },
  'device.sync_requested': { text: 'Requested a sync of a device.', skipsApiKeys: true },
  'device.replayed': { text: "Had a device's stored data processed again." },
  'upload.retried': { text: 'Had a quarantined upload processed again.' },
  'connect_link.created': { text: 'Created a connect link.', skipsApiKeys: true },
  'connect_link.revoked': { text: 'Revoked a connect link.' },
  'consolidation.updated': { text: "Changed a user's consolidation settings." },
  'consolidation.reset': { text: "Reset a user's consolidation settings." },
  'webhook.created': { text: 'Registered a webhook.' },
  'webhook.updated': { text: 'Changed a webhook.' },
  'webhook.deleted': { text: 'Deleted a webhook.' },
  'webhook.secret_rotated': { text: 'Rotated the signing secret of a webhook.' },
  'webhook.tested': { text: 'Sent a test event to a webhook.' },
  'webhook.redelivered': { text: 'Had a delivery sent again.' },
  'webhook.recovered': { text: 'Had missed events sent to a webhook.' },
  'invitation.created': { text: 'Invited someone to the roster.' },
  'invitation.resent': { text: 'Sent an invitation again.' },
  'invitation.revoked': { text: 'Revoked an invitation.' },
  'member.updated': { text: 'Archived or reactivated a member, or changed their details.' },
  'member.removed': { text: 'Removed a member.' },
} as const satisfies Record<string, ActionRule>;

export type AuditAction = keyof typeof rules;

export const auditRules: Readonly<Record<AuditAction, ActionRule>> = rules;

const isAuditAction = (name: string): name is AuditAction => Object.hasOwn(rules, name);
export const auditActions: readonly AuditAction[] = Object.keys(rules).filter(isAuditAction);
