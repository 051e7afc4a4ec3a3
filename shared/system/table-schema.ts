// The shape of the single table: the names of its key attributes and its indexes.
export const tableSchema = {
  pk: 'pk',
  sk: 'sk',
  ttl: 'ttl',
  indexes: [
    /**
     * Lists of an environment or of the deployment, in the order of their sort keys (ids sort by
     * time).
     */
    { name: 'by-list', pk: 'listPk', sk: 'listSk', projection: 'KEYS_ONLY' },
    /** Pending work by due time: sweeps read it from the start. */
    { name: 'by-due', pk: 'duePk', sk: 'dueSk', projection: 'KEYS_ONLY' },
  ],
} as const;

export type TableIndex = (typeof tableSchema.indexes)[number]['name'];
