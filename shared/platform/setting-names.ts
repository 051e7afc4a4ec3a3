// The names of a function's settings: the cloud stack writes them, the runtime reads them.

export const settingNames = {
  table: 'DAYBOOK_TABLE',
  bus: 'DAYBOOK_BUS',
  /** The Secrets Manager secret with the deployment's root secret. */
  secret: 'DAYBOOK_SECRET_ID',
  /** The root secret itself: for local engines and tests only, never set in the cloud. */
  secretValue: 'DAYBOOK_SECRET',
  /** `aws` forbids what only a laptop may do, such as plain HTTP to localhost. */
  runtime: 'DAYBOOK_RUNTIME',
  baseUrl: 'DAYBOOK_BASE_URL',
  /** What a provider issued to this deployment, as JSON: for local engines and tests. */
  provider: (id: string): string => `DAYBOOK_PROVIDER_${id.toUpperCase()}`,
  /** The Secrets Manager secret with the same for all providers, by provider id. */
  providersSecret: 'DAYBOOK_PROVIDERS_SECRET_ID',
  /** The KMS key that seals the providers' tokens. */
  vaultKey: 'DAYBOOK_VAULT_KEY_ID',
  /** The sender of mail, such as `Team <no-reply@example.com>`. Without it, no mail is sent. */
  mailSender: 'DAYBOOK_MAIL_SENDER',
  /** The Amazon SES configuration set for sending mail. */
  mailConfigurationSet: 'DAYBOOK_MAIL_CONFIGURATION_SET',
  /** The identity of the table: feed cursors are valid only for the table they were read from. */
  tableEpoch: 'DAYBOOK_TABLE_EPOCH',
  queue: (name: string): string => `DAYBOOK_QUEUE_${name.toUpperCase().replaceAll('-', '_')}`,
} as const;
