import { NAMES, named, type Screen } from './screen.ts';

export const groups: readonly Screen[] = [
  {
    name: 'groups',
    account: 'full',
    hash: '#/domain/list',
    complains: /status of 4\d\d/,
    async open(page, words) {
      await page.getByRole('link', { name: NAMES.long }).waitFor();
      await named(page, 'button', words('domain.list.more')).click();
      await named(page, 'menuitem', words('domain.list.groups')).click();
      const dialog = named(page, 'dialog', words('groups.manage'));
      await dialog.getByLabel(words('groups.newName')).fill('Default');
      await named(dialog, 'button', words('groups.add')).click();
      await dialog.locator('[aria-invalid=true]').waitFor();
    },
  },
];
