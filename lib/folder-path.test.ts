import { describe, expect, test } from "vitest";
import { type FolderNames, offeredFolders, splitFolderPath } from "./folder-path";

test("a typed path is a folder and the part of a name", () => {
  expect(splitFolderPath("/home/an")).toEqual({ folder: "/home/", part: "an" });
  expect(splitFolderPath("/home/an/")).toEqual({ folder: "/home/an/", part: "" });
  expect(splitFolderPath("/")).toEqual({ folder: "/", part: "" });
  expect(splitFolderPath("~")).toEqual({ folder: "~/", part: "" });
  expect(splitFolderPath("~/co")).toEqual({ folder: "~/", part: "co" });
});

test("a relative path, another user's home and nothing are no folder", () => {
  for (const typed of ["", "code", "./code", "../code", "~root/x", "C:\\code"])
    expect(splitFolderPath(typed)).toBeNull();
});

describe("what is offered", () => {
  const found: FolderNames = { folder: "/w/", parent: "/", names: ["Code", "code-old", "docs"], more: false };
  test("follows what is typed before the next answer is there", () => {
    expect(offeredFolders("/w/", found)).toEqual(["Code", "code-old", "docs"]);
    expect(offeredFolders("/w/co", found)).toEqual(["Code", "code-old"]);
    expect(offeredFolders("/w/code-", found)).toEqual(["code-old"]);
  });
  test("is nothing for another folder than the one that was listed", () => {
    expect(offeredFolders("/w/docs/", found)).toEqual([]);
    expect(offeredFolders("/wcode", found)).toEqual([]);
    expect(offeredFolders("/w/", undefined)).toEqual([]);
  });
});
