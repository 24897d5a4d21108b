// The worker's end of the protocol, against a socket that the test holds.
#include "passes/tvm/adapter/worker.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>
#include <thread>

namespace passdiff {
namespace {

using Bytes = std::vector<std::uint8_t>;

class WorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets_.data()), 0);
    worker_.connect(sockets_[0], &page_);
  }
  void TearDown() override {
    for (const int socket : sockets_) ::close(socket);
  }

  // What has arrived so far.
  std::string received() const {
    std::string text(1 << 16, '\0');
    const ssize_t got = ::recv(sockets_[1], text.data(), text.size(), MSG_DONTWAIT);
    text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    return text;
  }

  std::array<int, 2> sockets_{-1, -1};
  Progress page_;
  Worker worker_;
};

TEST(MakeFrame, HoldsTheHeaderAndTheBodiesWithTheirLengths) {
  const std::vector<Bytes> bodies = {{7}, {}};
  const Bytes expected = {3, 0, 0, 0, 2, 0, 0, 0, '{', '}', 1, 0, 0, 0, 7, 0, 0, 0, 0};
  EXPECT_EQ(make_frame("{}", bodies), expected);
}

TEST_F(WorkerTest, SendsWholeFrames) {
  const Bytes large(std::size_t{1} << 20, 0x5A);  // more than a socket's buffer holds
  std::thread reader([&] {
    std::size_t size = 0;
    std::array<char, 4096> chunk;
    while (size < large.size()) {
      const ssize_t got = ::recv(sockets_[1], chunk.data(), chunk.size(), 0);
      ASSERT_GT(got, 0);
      size += static_cast<std::size_t>(got);
    }
  });
  worker_.send(large);
  reader.join();
  EXPECT_EQ(page_.writing, 0);
}

TEST_F(WorkerTest, ReceivesWholeFrames) {
  const std::vector<Bytes> parts = {{'{', '}'}, Bytes(std::size_t{1} << 20, 0x5A), {}};  // more than a socket's buffer holds
  const Bytes frame = make_frame("{}", std::span(parts).subspan(1));
  std::thread writer([&] {
    for (std::size_t at = 0; at < frame.size();) {
      const ssize_t sent = ::send(sockets_[1], frame.data() + at, frame.size() - at, 0);
      ASSERT_GT(sent, 0);
      at += static_cast<std::size_t>(sent);
    }
  });
  EXPECT_EQ(worker_.receive(), parts);
  writer.join();
}

TEST_F(WorkerTest, RefusesWhatIsNoFrame) {
  const auto receive = [this](const Bytes& bytes) {
    ::send(sockets_[1], bytes.data(), bytes.size(), 0);
    return worker_.receive();
  };
  EXPECT_THROW(receive({0, 0, 0, 0}), std::runtime_error) << "no part";
  EXPECT_THROW(receive({1, 0x10, 0, 0}), std::runtime_error) << "more than 4096 parts";
  EXPECT_THROW(receive({1, 0, 0, 0, 1, 0, 0, 0x40}), std::runtime_error) << "a part of more than 1 GiB";
}

TEST_F(WorkerTest, NotesWhereItIs) {
  worker_.at(5, 2, 1);
  EXPECT_EQ(page_.request, 5);
  EXPECT_EQ(page_.pipeline, 2);
  EXPECT_EQ(page_.pass, 1);
}

TEST_F(WorkerTest, AnnouncesItsProgressOnlyAfterASilence) {
  // On a busy machine the silence may pass between two calls: then they are made again.
  std::string announced = "not tried";
  for (int attempt = 0; attempt < 50 && !announced.empty(); ++attempt) {
    worker_.at(5, -1, -1);  // the request begins: the silence counts from here
    worker_.at(5, 0, 0);
    announced = received();
  }
  EXPECT_EQ(announced, "");
  std::this_thread::sleep_for(std::chrono::milliseconds(25));
  worker_.at(5, 1, 0);
  EXPECT_NE(received().find(R"({"id":5,"progress":1,"pass":0})"), std::string::npos);
}

TEST(WorkerWithoutSocket, SendsNothing) {
  Worker worker;
  worker.send(Bytes{1});
  worker.at(1, 0, 0);
}

}  // namespace
}  // namespace passdiff
