// The versions of the rules by which the values of several devices become those of a day.

/**
 * Stored with every canonical day, and on the user. Increase it with any change after which the same
 * data gives another day: the days of every user are then built again.
 */
export const mergeRule: number = 2;

/** Up to this version, all metrics of a night came from one device. */
export const lastSingleDeviceNightRule = 1;
