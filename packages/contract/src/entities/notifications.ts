import { z } from 'zod';

/** Spec section 3, "Notification setting". */
export const notificationSetting = z.object({ type: z.array(z.string().max(64)).max(50) });
/** Token of a device for push notifications (`domain/fcm-register/`). */
export const deviceToken = z.string().min(1).max(4096);
