/**
 * Version of the privacy notice that receipts refer to: the date from which it is valid. Must be the newest entry of
 * the corpus `privacy`, which a test checks.
 */
export const noticeVersion = '2026-11-24'
