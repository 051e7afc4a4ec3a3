// The closed list of acts that the audit trail names, one entry per act.

interface ActionRule {
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
  'account.created': { isAccountWide: true },
  'account.suspended': { isAccountWide: true },
  'account.resumed': { isAccountWide: true },
  'account.limit_changed': { isAccountWide: true },
  'key.replaced': {},
  'key.revoked': {},
  'colleague.invited': { isAccountWide: true },
  'colleague.updated': { isAccountWide: true },
  'colleague.removed': { isAccountWide: true },
  'colleague.link_created': { isAccountWide: true },
  'colleague.access_reset': { isAccountWide: true },
  'session.created': { isAccountWide: true },
  'session.ended': { isAccountWide: true },
  'session.revoked': { isAccountWide: true },
  'passkey.created': { isAccountWide: true },
  'passkey.removed': { isAccountWide: true },
  'user.created': { skipsApiKeys: true },
  'user.updated': { skipsApiKeys: true },
  'user.deleted': {},
  'user.looked_at': { skipsApiKeys: true },
  'user_token.created': { skipsApiKeys: true },
  'user_token.ended': {},
  'mobile_token.created': { skipsApiKeys: true },
  'mobile_token.ended': {},
  'sdk_session.created': { skipsApiKeys: true },
  'sdk_session.revoked': {},
  'sdk_session.ended': {},
  'device.connection_started': { skipsApiKeys: true },
  'device.disconnected': {},
  'device.sync_requested': { skipsApiKeys: true },
  'device.replayed': {},
  'upload.retried': {},
  'connect_link.created': { skipsApiKeys: true },
  'connect_link.revoked': {},
  'connect_link.ended': {},
  'consolidation.updated': {},
  'consolidation.reset': {},
  'webhook.created': {},
  'webhook.updated': {},
  'webhook.deleted': {},
  'webhook.secret_rotated': {},
  'webhook.tested': {},
  'webhook.redelivered': {},
  'webhook.recovered': {},
  'invitation.created': {},
  'invitation.resent': {},
  'invitation.revoked': {},
  'member.updated': {},
  'member.removed': {},
} as const satisfies Record<string, ActionRule>;

export type AuditAction = keyof typeof rules;

export const auditRules: Readonly<Record<AuditAction, ActionRule>> = rules;

const isAuditAction = (name: string): name is AuditAction => Object.hasOwn(rules, name);
export const auditActions: readonly AuditAction[] = Object.keys(rules).filter(isAuditAction);

export const auditOutcomes = ['begun', 'done', 'failed'] as const;
