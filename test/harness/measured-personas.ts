import { personaIds } from '../../shared/catalog/sandbox.ts';

/** The personas whose users have data. */
export const measuredPersonas = personaIds.filter((persona) => persona !== 'empty');
