/** English texts of the editor's preview. */
export const PREVIEW_EN = {
  open: 'Preview',
  title: 'Preview: nothing is saved yet',
  page: 'The page of the event',
  close: 'Close',
};
