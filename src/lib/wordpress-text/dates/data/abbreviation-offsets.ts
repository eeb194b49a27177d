/**
 * Zone abbreviations of PHP with their hours ahead of UTC, whatever the date. Of an ambiguous one PHP's choice stands (IST
 * is Jerusalem, CST Chicago, BST London). Single letters are the military zones.
 */
export const ABBREVIATION_HOURS = `
  A 1, ACDT 10.5, ACST 9.5, ADT -3, AEDT 11, AEST 10, AKDT -8, AKST -9, AST -4, AWST 8, B 2, BST 1,
  C 3, CAT 2, CDT -5, CEST 2, CET 1, CHST 10, CST -6, D 4, E 5, EAT 3, EDT -4, EEST 3, EET 2, EST -5,
  F 6, G 7, GMT 0, H 8, HDT -9, HKT 8, HST -10, I 9, IDT 3, IST 2, JST 9, K 10, KST 9, L 11, M 12,
  MDT -6, MEST 2, MET 1, MSD 4, MSK 3, MST -7, N -1, NDT -2.5, NST -3.5, NZDT 13, NZST 12, O -2, P -3,
  PDT -7, PKT 5, PST -8, Q -4, R -5, S -6, SAST 2, SST -11, T -7, U -8, UTC 0, V -9, W -10, WAT 1,
  WEST 1, WET 0, WIB 7, WIT 9, WITA 8, X -11, Y -12, Z 0`;
