/**
 * Another run changed the same rows first, as can happen at any time. The work is received again,
 * so nobody has to look into it.
 */
export class LostRace extends Error {}
