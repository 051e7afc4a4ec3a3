// The names of the settings a function is started with: the cloud writes them, the runtime reads them.

export const settingNames = {
  table: 'DAYBOOK_TABLE',
  bus: 'DAYBOOK_BUS',
  /** The Secrets Manager secret that holds the deployment's root secret. */
  secret: 'DAYBOOK_SECRET_ID',
  /** The root secret itself: for local engines and tests only, never set in the cloud. */
  secretValue: 'DAYBOOK_SECRET',
  /** `aws` forbids what only a laptop may do (plain http to localhost, for instance). */
  runtime: 'DAYBOOK_PLACE',
  baseUrl: 'DAYBOOK_BASE_URL',
  /** What a vendor gave this deployment, as JSON: for local engines and tests. */
  provider: (id: string): string => `DAYBOOK_PROVIDER_${id.toUpperCase()}`,
  /** The Secrets Manager secret that holds the same of all vendors, by their ids. */
  providersSecret: 'DAYBOOK_PROVIDERS_SECRET_ID',
  /** The KMS key that seals the tokens of vendors. */
  vaultKey: 'DAYBOOK_VAULT_KEY_ID',
  /** Who signs mail, as `Team <no-reply@example.com>`; nothing is mailed without it. */
  mailSender: 'DAYBOOK_MAIL_SENDER',
  /** The configuration set of Amazon SES that mail is sent with. */
  mailConfigurationSet: 'DAYBOOK_MAIL_CONFIGURATION_SET',
  /** The identity of the table: cursors of the feed are good for the one they were read from. */
  tableEpoch: 'DAYBOOK_TABLE_EPOCH',
  queue: (name: string): string => `DAYBOOK_QUEUE_${name.toUpperCase().replaceAll('-', '_')}`,
} as const;
