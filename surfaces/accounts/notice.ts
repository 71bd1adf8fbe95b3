/** Version of the privacy notice that receipts cite: the day it began to hold. */
export const noticeVersion = '2026-11-23'
