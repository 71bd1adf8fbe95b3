import { reply } from 'pantry/handler'
import { Export } from '../../accounts/export.ts'
import { noticeVersion } from '../../accounts/notice.ts'
import { personOf } from '../../accounts/own.ts'
import { defineHandler } from '../../define.ts'

/** Returns all data stored about the caller. */
export default defineHandler({
  reply: Export,
  handle: async ({ caller }, { ownData }) =>
    reply({ notice_version: noticeVersion, tables: await ownData(personOf(caller)) })
})
