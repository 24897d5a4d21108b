// What a command is at, in one line that the next one overwrites.
#pragma once

#include <string>

namespace passdiff {

// Writes to standard error where that is a terminal that can draw, and nothing elsewhere. The line goes with the object.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { show({}); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  void show(const std::string& text) const;

 private:
  bool terminal_;
};

}  // namespace passdiff
