import { expect, it } from 'vitest';
import { readSchedule, startSchedule } from './schedule';

const NOW = Date.parse('2026-11-29T20:50:00Z');
const later = (day: string, time: string) => ({ isLater: true, day, time });

it('begins with a full hour ahead, by the clock of the account', () => {
  expect(startSchedule('UTC', NOW)).toEqual({ isLater: false, day: '2026-11-29', time: '22:00' });
  expect(startSchedule('Asia/Shanghai', NOW)).toEqual({ isLater: false, day: '2026-11-30', time: '06:00' });
  expect(readSchedule({ ...startSchedule('Asia/Kolkata', NOW), isLater: true }, 'Asia/Kolkata', NOW).faults).toBe(
    undefined,
  );
});

it('reads the time by the clock of the account, and none for now', () => {
  expect(readSchedule(later(' 2026-11-30', '06:00 '), 'Asia/Shanghai', NOW)).toEqual({
    at: '2026-11-29T22:00:00.000Z',
  });
  expect(readSchedule(later('2026-11-30', '9:05'), 'UTC', NOW)).toEqual({ at: '2026-11-30T09:05:00.000Z' });
  expect(readSchedule({ ...later('', ''), isLater: false }, 'UTC', NOW)).toEqual({ at: undefined });
});

it.each([
  ['30.11.2026', '06:00', 'day', 'wrongDay'],
  ['2026-11-31', '06:00', 'day', 'wrongDay'],
  ['2026-11-30', '6', 'time', 'wrongTime'],
  ['2026-11-28', '23:00', 'day', 'TASK_TIME_PAST'],
  ['2026-11-29', '20:50', 'time', 'TASK_TIME_PAST'],
  ['2026-12-29', '20:51', 'day', 'TASK_TIME_FAR'],
] as const)('says of %s %s which field is wrong, and why', (day, time, field, code) => {
  expect(readSchedule(later(day, time), 'UTC', NOW)).toEqual({ at: undefined, faults: { [field]: code } });
});

it('takes 30 days to the minute', () => {
  expect(readSchedule(later('2026-12-29', '20:50'), 'UTC', NOW).at).toBe('2026-12-29T20:50:00.000Z');
});

it('says what is wrong with the day and with the time, both at once', () => {
  expect(readSchedule(later('tomorrow', '25:00'), 'UTC', NOW).faults).toEqual({ day: 'wrongDay', time: 'wrongTime' });
});
