import { reply } from 'pantry/handler'
import { defineHandler } from '../../define.ts'
import { personOf } from '../../people/callers.ts'
import { Export } from '../../people/personal-data.ts'
import { noticeVersion } from '../../people/receipts.ts'

export default defineHandler({
  reply: Export,
  handle: async ({ caller }, { ownData }) =>
    reply({ notice_version: noticeVersion, tables: await ownData(personOf(caller)) })
})
