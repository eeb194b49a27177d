/** The shortcodes that the replaced site registers: WordPress's own and the calendar's. */
export const SHORTCODE_NAMES: readonly string[] =
  'caption wp_caption gallery playlist audio video embed tribe:event-details tec_event_qr'.split(' ');
