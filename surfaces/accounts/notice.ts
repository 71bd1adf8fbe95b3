/**
 * Version of the privacy notice that receipts cite: the day it began to hold. It is the newest entry of the corpus
 * `privacy`, which a test compares.
 */
export const noticeVersion = '2026-11-24'
