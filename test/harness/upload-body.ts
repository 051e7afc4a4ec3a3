import type { UploadBody } from '../../shared/providers/phone/upload.ts';

/** An upload of a watch with nothing in it but what is given. */
export const uploadBody = (more: Partial<UploadBody>): UploadBody => ({
  time_zone: 'UTC',
  device: { name: 'w', model: 'w', type: 'wrist' },
  samples: [],
  daily: [],
  sleep: [],
  workouts: [],
  ...more,
});
