/** What is left until a moment as people read a clock: `3:59:07`, `14:05`; nothing once it is over. */
export function timeLeft(until: string, now: number): string | undefined {
  const seconds = Math.ceil((Date.parse(until) - now) / 1000);
  if (seconds <= 0) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
