/** Look of a link in running text. */
export const textLinkClass = 'text-primary-ink font-medium underline-offset-2 hover:underline rounded-[3px]';
