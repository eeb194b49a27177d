/** English texts of the editor's preview. */
export const PREVIEW_EN = {
  open: 'Preview',
  title: 'Preview of the form',
  page: 'The page of the event',
};
