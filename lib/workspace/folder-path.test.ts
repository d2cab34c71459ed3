import { describe, expect, test } from "vitest";
import { type FolderNames, filterFolderNames, splitFolderPath } from "./folder-path";

test("a typed path is split into folder and partial name", () => {
  expect(splitFolderPath("/home/an")).toEqual({ folder: "/home/", part: "an" });
  expect(splitFolderPath("/home/an/")).toEqual({ folder: "/home/an/", part: "" });
  expect(splitFolderPath("/")).toEqual({ folder: "/", part: "" });
  expect(splitFolderPath("~")).toEqual({ folder: "~/", part: "" });
  expect(splitFolderPath("~/co")).toEqual({ folder: "~/", part: "co" });
});

test("a relative path, another user's home and an empty text give null", () => {
  for (const typed of ["", "code", "./code", "../code", "~root/x", "C:\\code"])
    expect(splitFolderPath(typed)).toBeNull();
});

describe("the offered folders", () => {
  const found: FolderNames = { folder: "/w/", parent: "/", names: ["Code", "code-old", "docs"], more: false };
  test("follow the typed text before the next result arrives", () => {
    expect(filterFolderNames("/w/", found)).toEqual(["Code", "code-old", "docs"]);
    expect(filterFolderNames("/w/co", found)).toEqual(["Code", "code-old"]);
    expect(filterFolderNames("/w/code-", found)).toEqual(["code-old"]);
  });
  test("are empty for a folder other than the listed one", () => {
    expect(filterFolderNames("/w/docs/", found)).toEqual([]);
    expect(filterFolderNames("/wcode", found)).toEqual([]);
    expect(filterFolderNames("/w/", undefined)).toEqual([]);
  });
});
