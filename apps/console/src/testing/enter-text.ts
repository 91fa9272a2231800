import type { UserEvent } from '@testing-library/user-event';

/** Puts a text at the end of a field in one go: typed, the form is drawn anew for each of its characters. */
export async function enterText(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
