import { z } from 'zod';
import { text } from '../text.ts';

/** Spec section 3, "Notification setting". */
export const notificationSetting = z.object({ type: z.array(text(64)).max(50) });
/** Token of a device for push notifications (`domain/fcm-register/`). */
export const deviceToken = text(4096).min(1);
