/** What dims the page behind a dialog. */
export const backdropClass =
  'fixed inset-0 z-40 bg-overlay transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0';

/** Surface of what floats: menus, lists, tooltips with content. */
export const popupSurfaceClass =
  'rounded-control border border-line bg-card p-1 shadow-float outline-none origin-(--transform-origin) ' +
  'transition-[opacity,scale] duration-100 data-starting-style:scale-97 data-starting-style:opacity-0 ' +
  'data-ending-style:scale-97 data-ending-style:opacity-0';

/** One line of a menu or list. */
export const popupItemClass =
  'flex min-h-8 cursor-pointer items-center gap-2.5 rounded-[6px] px-2.5 py-1.5 outline-none select-none touch:min-h-10 ' +
  'data-highlighted:bg-sunken data-disabled:cursor-not-allowed data-disabled:opacity-50';
