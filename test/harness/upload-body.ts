import type { UploadBody } from '../../shared/providers/phone/upload.ts';

/** An upload from a watch that contains only the given records. */
export const uploadBody = (more: Partial<UploadBody>): UploadBody => ({
  time_zone: 'UTC',
  device: { name: 'w', model: 'w', type: 'wrist' },
  samples: [],
  daily: [],
  sleep: [],
  workouts: [],
  ...more,
});
